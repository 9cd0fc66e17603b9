// What the demo says when no prepared task fits, in the language of the prompt.
import type { Language } from "./scene.ts";

type OtherTexts = {
  readonly onlyDemo: string;
  readonly enough: string;
  readonly withoutTool: (name: string) => string;
  readonly summary: (prompts: readonly string[]) => string;
};

const shorten = (prompts: readonly string[]) =>
  prompts
    .filter((prompt) => prompt !== "")
    .map((prompt) => `- ${prompt.replace(/\s+/g, " ").slice(0, 200)}`)
    .join("\n");

export const OTHER: Readonly<Record<Language, OtherTexts>> = {
  en: {
    onlyDemo: `I am only the **demo**: a script without a language model behind it. I cannot really think about your question.

In the sample project I can show you how Cairn works. Try one of these:

- \`Fix the failing test\`
- \`Explain this project\`
- \`Write a notes file\`
- \`Make a small web page\`

For real work connect a model: open **Settings → Model** and add a key, or the address of a server of your own. On the command line set \`ANTHROPIC_API_KEY\` or \`OPENAI_API_KEY\`, or use \`--provider\` with \`--base-url\`.`,
    enough:
      "I have done all I know for this task. The demo is a script and does not go any further; a real model would. You can connect one under **Settings → Model**.",
    withoutTool: (name) =>
      `For this task I would need the tool \`${name}\`, which is switched off here. Switch it on under Settings, or ask me something else.`,
    summary: (prompts) => `This was a session with the demo. The person asked for:\n${shorten(prompts)}`,
  },
  zh: {
    onlyDemo: `我只是**演示模型**：背后没有语言模型，只有一段脚本，所以没法真正思考你的问题。

在示例项目里，我可以带你看看 Cairn 是怎么工作的。试试这些：

- \`修复失败的测试\`
- \`介绍一下这个项目\`
- \`写一份说明笔记\`
- \`做一个小网页\`

真正干活请接入一个模型：打开 **设置 → 模型**，填入密钥，或填写你自己的服务器地址。命令行下请设置 \`ANTHROPIC_API_KEY\` 或 \`OPENAI_API_KEY\`，或使用 \`--provider\` 加 \`--base-url\`。`,
    enough: "这个任务里我会的都做完了。演示只是一段脚本，不会再往下走；真正的模型可以。你可以在 **设置 → 模型** 里接入一个。",
    withoutTool: (name) => `这个任务需要工具 \`${name}\`，但它现在是关闭的。可以在设置里打开它，或者让我做点别的。`,
    summary: (prompts) => `这是一次与演示模型的会话。用户的要求是：\n${shorten(prompts)}`,
  },
};
