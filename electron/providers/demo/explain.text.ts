// Words of the task "explain this project", in both languages.
import type { Language, ProjectFacts } from "./scene.ts";

type ExplainTexts = {
  readonly lookAround: string;
  readonly reading: string;
  readonly denied: string;
  readonly cannotList: string;
  readonly nothingToRead: (names: readonly string[]) => string;
  readonly answer: (facts: ProjectFacts) => string;
};

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``);

const lines = (...parts: readonly string[]) => parts.filter((part) => part !== "").join("\n");

export const EXPLAIN: Readonly<Record<Language, ExplainTexts>> = {
  en: {
    lookAround: "Let me see what is here.",
    reading: "I'll read the files that say most about it.",
    denied: "I am not allowed to look into this folder, so I cannot say anything about it. Allow listing it and ask me again.",
    cannotList: "I could not list this folder. Check that it still exists, then ask me again.",
    nothingToRead: (names) =>
      names.length === 0
        ? "This folder is empty. Ask me to make a small web page in it, or open the sample project."
        : `I see ${code(names).join(", ")}, but nothing that describes the project, and as a demo I do not understand code on my own. A real model (**Settings → Model**) would read on from here.`,
    answer: (facts) =>
      lines(
        `## ${facts.name === "" ? "This project" : facts.name}`,
        facts.about === "" ? "" : `\n${facts.about}\n`,
        `- **Read:** ${code(facts.read).join(", ")}`,
        facts.scripts.length === 0 ? "" : `- **Commands:** ${code(facts.scripts.map((name) => `npm run ${name}`)).join(", ")}`,
        facts.refused.length === 0 ? "" : `- **Not read:** ${code(facts.refused).join(", ")}; I was not allowed to, or it failed`,
        facts.name === "little-shop"
          ? "- **Good to know:** `src/price.js` counts in whole cents, `src/opening.js` knows the open days, `src/report.js` prints the orders in `data/`. One test fails on purpose."
          : "",
        facts.name === "little-shop"
          ? "\nNext you could say `Fix the failing test`."
          : "\nI am the demo, so this is only what those files say about themselves.",
      ),
  },
  zh: {
    lookAround: "我先看看这里有什么。",
    reading: "我来读最能说明问题的几个文件。",
    denied: "我没有权限查看这个文件夹，所以无法介绍它。允许查看后可以再问我一次。",
    cannotList: "我没能列出这个文件夹的内容。请确认它还在，然后再问我一次。",
    nothingToRead: (names) =>
      names.length === 0
        ? "这个文件夹是空的。可以让我在里面做一个小网页，或者打开示例项目。"
        : `我看到了 ${code(names).join("、")}，但没有介绍项目的文件，而演示模型自己并不理解代码。真正的模型（**设置 → 模型**）会从这里继续读下去。`,
    answer: (facts) =>
      lines(
        `## ${facts.name === "" ? "这个项目" : facts.name}`,
        facts.about === "" ? "" : `\n${facts.about}\n`,
        `- **读过的文件：** ${code(facts.read).join("、")}`,
        facts.scripts.length === 0 ? "" : `- **命令：** ${code(facts.scripts.map((name) => `npm run ${name}`)).join("、")}`,
        facts.refused.length === 0 ? "" : `- **没有读到：** ${code(facts.refused).join("、")}；没有权限，或读取失败`,
        facts.name === "little-shop"
          ? "- **值得知道：** `src/price.js` 以整分为单位计算价格，`src/opening.js` 知道哪天营业，`src/report.js` 打印 `data/` 里的订单。有一个测试是故意失败的。"
          : "",
        facts.name === "little-shop" ? "\n接下来可以说 `修复失败的测试`。" : "\n我是演示模型，以上只是这些文件对自己的描述。",
      ),
  },
};
