package record

import (
	"slices"
	"strconv"
)

// Put sets the value at a path of keys in an object. The path must not be empty. What
// is no object on the way to it is replaced by one.
func Put(o map[string]any, path []string, value any) {
	for _, key := range path[:len(path)-1] {
		inner, ok := o[key].(map[string]any)
		if !ok {
			inner = map[string]any{}
			o[key] = inner
		}
		o = inner
	}
	o[path[len(path)-1]] = value
}

// Listed returns a value with each object whose keys are all whole numbers replaced by
// the array of its members, in the order of the numbers. It changes the objects in
// place.
func Listed(value any) any {
	o, ok := value.(map[string]any)
	if !ok {
		return value
	}
	var numbers []int
	for key, inner := range o {
		o[key] = Listed(inner)
		if n, err := strconv.Atoi(key); err == nil && strconv.Itoa(n) == key {
			numbers = append(numbers, n)
		}
	}
	if len(o) == 0 || len(numbers) != len(o) {
		return o
	}
	slices.Sort(numbers)
	list := make([]any, len(numbers))
	for i, n := range numbers {
		list[i] = o[strconv.Itoa(n)]
	}
	return list
}
