// Runs the code that the presets langchain-clear and vercel-prune follow. Standard input is
// an array of cases, standard output an array of what each leaves: pairs of an item and
// whether it is cleared.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";

const require = createRequire(pathToFileURL(process.argv[2] + "/"));
const load = async (name) => import(pathToFileURL(require.resolve(name)));
const { ClearToolUsesEdit, AIMessage, HumanMessage, ToolMessage } = await load("langchain");
const { pruneMessages } = await load("ai");

async function clear({ settings, messages }) {
  const all = [], item = new Map(), tokens = new Map();
  const add = (message, parts) => {
    item.set(message.id, parts.map((p) => p.item));
    tokens.set(message.id, parts.reduce((sum, p) => sum + p.tokens, 0));
    all.push(message);
  };
  for (const [k, { parts }] of messages.entries()) {
    const rest = parts.filter((p) => p.kind !== "result");
    const calls = rest.filter((p) => p.kind === "call");
    if (calls.length > 0) {
      add(new AIMessage({ id: `${k}`, content: "x", tool_calls: calls.map((p) => ({ id: p.call, name: p.tool, args: {} })) }), rest);
    } else if (rest.length > 0) {
      add(new HumanMessage({ id: `${k}`, content: "x" }), rest);
    }
    for (const p of parts.filter((p) => p.kind === "result")) {
      add(new ToolMessage({ id: `${k}-${p.item}`, content: "x", name: p.tool, tool_call_id: p.call }), [p]);
    }
  }
  const callItem = new Map(messages.flatMap((m) => m.parts).filter((p) => p.kind === "result").map((p) => [p.call, p.item]));
  const edit = new ClearToolUsesEdit({ trigger: { tokens: settings.trigger }, keep: { messages: settings.keep }, excludeTools: settings.exclude });
  await edit.apply({ messages: all, countTokens: async (list) => list.reduce((sum, m) => sum + tokens.get(m.id), 0) });
  return all.flatMap((m) => {
    const cleared = Boolean(m.response_metadata?.context_editing?.cleared);
    return (cleared ? [callItem.get(m.tool_call_id)] : item.get(m.id)).map((i) => [i, cleared]);
  });
}

function prune({ settings, messages }) {
  const part = (p) => ({
    text: { type: "text", text: `${p.item}` },
    call: { type: "tool-call", toolCallId: p.call, toolName: p.tool, input: { item: p.item } },
    result: { type: "tool-result", toolCallId: p.call, toolName: p.tool, output: { type: "text", value: `${p.item}` } },
  })[p.kind];
  const left = pruneMessages({
    messages: messages.map((m) => ({ role: m.role, content: m.role === "user" ? JSON.stringify(m.parts.map((p) => p.item)) : m.parts.map(part) })),
    toolCalls: `before-last-${settings.keep}-messages`,
  });
  return left.flatMap((m) =>
    typeof m.content === "string" ? JSON.parse(m.content).map((i) => [i, false])
      : m.content.map((p) => [p.input?.item ?? Number(p.text ?? p.output.value), false]));
}

const answers = [];
for (const c of JSON.parse(readFileSync(0, "utf8"))) {
  answers.push(c.preset === "langchain-clear" ? await clear(c) : prune(c));
}
process.stdout.write(JSON.stringify(answers));
