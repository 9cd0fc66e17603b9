// Words of the task "write a notes file", and the file itself, in both languages.
import type { Language, ProjectFacts } from "./scene.ts";

type NotesTexts = {
  readonly lookAround: string;
  readonly reading: string;
  readonly writing: (file: string) => string;
  readonly notes: (facts: ProjectFacts) => string;
  readonly done: (file: string) => string;
  readonly denied: (file: string, notes: string) => string;
  readonly failed: (file: string) => string;
  readonly noFreeName: string;
};

export const NOTES: Readonly<Record<Language, NotesTexts>> = {
  en: {
    lookAround: "I'll see what is here, so that I don't write over anything.",
    reading: "Let me read what describes the project.",
    writing: (file) => `I have what I need. I'll write it to \`${file}\`.`,
    notes: (facts) => `# Notes${facts.name === "" ? "" : ` on ${facts.name}`}

${facts.about === "" ? "A short description is still missing." : facts.about}

## Commands

${facts.scripts.length === 0 ? "None found." : facts.scripts.map((name) => `- \`npm run ${name}\``).join("\n")}

## Read for these notes

${facts.read.length === 0 ? "Only the list of files." : facts.read.map((file) => `- ${file}`).join("\n")}
`,
    done: (file) => `Done: \`${file}\` is there. Nothing else was changed. If you don't want it, go back to the point before it and it is gone.`,
    denied: (file, notes) =>
      `Understood, I write nothing. This is what would have gone into \`${file}\`:\n\n\`\`\`markdown\n${notes}\`\`\`\n\nAsk again and allow the write if you want it as a file.`,
    failed: (file) => `\`${file}\` could not be written, so nothing was changed. Check that this folder can be written to, then ask me again.`,
    noFreeName: "Files with all the names I would use are already here, and I don't write over them. Rename or delete one of them and ask me again.",
  },
  zh: {
    lookAround: "我先看看这里有什么，以免覆盖已有的文件。",
    reading: "我来读一下介绍项目的文件。",
    writing: (file) => `需要的信息都有了，我把它写到 \`${file}\`。`,
    notes: (facts) => `# ${facts.name === "" ? "" : `${facts.name} `}笔记

${facts.about === "" ? "还没有简介。" : facts.about}

## 命令

${facts.scripts.length === 0 ? "没有找到。" : facts.scripts.map((name) => `- \`npm run ${name}\``).join("\n")}

## 参考的文件

${facts.read.length === 0 ? "只看了文件列表。" : facts.read.map((file) => `- ${file}`).join("\n")}
`,
    done: (file) => `完成：已写入 \`${file}\`，其他内容都没有改动。如果不想要它，回到写入之前的点，它就会消失。`,
    denied: (file, notes) =>
      `明白，我什么都不写。本来要写进 \`${file}\` 的内容是：\n\n\`\`\`markdown\n${notes}\`\`\`\n\n如果想保存成文件，请再问一次并允许写入。`,
    failed: (file) => `没能写入 \`${file}\`，所以什么都没有改。请确认这个文件夹可以写入，然后再问我一次。`,
    noFreeName: "我会用到的文件名都已经存在，我不会覆盖它们。请重命名或删除其中一个，再问我一次。",
  },
};
