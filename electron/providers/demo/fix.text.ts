// Words of the task "fix the failing test", in both languages.
import type { Language } from "./scene.ts";

type FixTexts = {
  readonly lookAround: string;
  readonly otherFolder: string;
  readonly runTests: string;
  readonly runReason: string;
  readonly allPass: (passed: number) => string;
  readonly oneFails: (name: string) => string;
  readonly runDenied: string;
  readonly cannotRun: string;
  readonly found: string;
  readonly alreadyFixed: (file: string) => string;
  readonly cannotRead: (file: string) => string;
  readonly editDenied: (file: string, wrong: string, right: string) => string;
  readonly editFailed: (file: string, wrong: string, right: string) => string;
  readonly checkAgain: string;
  readonly checkReason: string;
  readonly done: (file: string, passed: number) => string;
  readonly doneUnchecked: (file: string) => string;
  readonly stillFails: (failed: number) => string;
};

const diff = (wrong: string, right: string) => `\`\`\`diff\n-${wrong}\n+${right}\n\`\`\``;

export const FIX: Readonly<Record<Language, FixTexts>> = {
  en: {
    lookAround: "I'll look around first.",
    otherFolder:
      "This is not the sample project, and the demo only knows that one by heart. Open the sample project from the welcome screen to see the whole task, or connect a real model under **Settings → Model** to work here.",
    runTests: "A small Node project with tests. Let me run them and see which one fails.",
    runReason: "Run the tests to see which one fails",
    allPass: (passed) =>
      `All ${passed} tests pass, so there is nothing to fix here. If you go back to a point before the fix, the bug comes back and you can ask me again.`,
    oneFails: (name) => `One test fails: **${name}**. I'll read the test and the code it checks.`,
    runDenied: "All right, I won't run anything. I can find the bug by reading.",
    cannotRun: "The tests could not be run here (is Node.js installed?). I can still find the bug by reading.",
    found: "Found it. `discounted(1000, 20)` should be 800, but the function takes away 20 cents instead of 20 percent. I'll change that one line.",
    alreadyFixed: (file) => `The line I expected to be wrong is not in \`${file}\` any more, so it seems to be fixed already. I have changed nothing.`,
    cannotRead: (file) => `I could not read \`${file}\`, so I stop here and change nothing. Allow reading it and ask me again.`,
    editDenied: (file, wrong, right) =>
      `Understood, \`${file}\` stays as it is. This is the change I would make:\n\n${diff(wrong, right)}\n\nYou can make it yourself, or ask me again and allow the edit.`,
    editFailed: (file, wrong, right) =>
      `The edit of \`${file}\` did not work, so I have changed nothing. This is what I wanted to do:\n\n${diff(wrong, right)}\n\nAsk me again to try once more.`,
    checkAgain: "Now I'll check that the fix works.",
    checkReason: "Check that the fix works and nothing else broke",
    done: (file, passed) => `Fixed. All ${passed} tests pass now.

**What was wrong:** \`discounted\` in \`${file}\` subtracted the percentage itself, so 20 % off 10.00 € was 9.80 €.

**What I changed:** one line; it now takes the percentage of the price and rounds to whole cents.

In the window you see the change under *Changes* and can go back at any time with the stones at the side; on the command line \`cairn checkpoints\` does both.`,
    doneUnchecked: (file) => `I changed one line in \`${file}\`: the discount is now a percentage of the price, rounded to whole cents.

I have **not** run the tests, so this is not checked yet. Run \`npm test\` to see it pass.`,
    stillFails: (failed) =>
      `My change is in place, but ${failed} test(s) still fail, so something else was changed as well. You can undo my edit by going back to the point before it. The demo does not go further; a real model would.`,
  },
  zh: {
    lookAround: "我先看看项目里有什么。",
    otherFolder: "这不是示例项目，而演示只熟悉示例项目。请从欢迎页打开示例项目来看完整的演示，或者在 **设置 → 模型** 里接入真正的模型来处理这个文件夹。",
    runTests: "这是一个带测试的小型 Node 项目。我来运行测试，看看哪一个失败了。",
    runReason: "运行测试，看看哪一个失败",
    allPass: (passed) => `${passed} 个测试全部通过，没有需要修复的地方。如果回到修复之前的点，这个错误会再次出现，到时可以再让我修。`,
    oneFails: (name) => `有一个测试失败：**${name}**。我来读一下这个测试和它检查的代码。`,
    runDenied: "好的，我不运行任何命令。读代码也能找到问题。",
    cannotRun: "这里无法运行测试（是否安装了 Node.js？）。我仍然可以通过读代码找到问题。",
    found: "找到了。`discounted(1000, 20)` 应该是 800，但函数减去的是 20 分钱，而不是百分之二十。我来改这一行。",
    alreadyFixed: (file) => `\`${file}\` 里已经没有我预期的那行错误代码，看来已经修好了。我没有做任何改动。`,
    cannotRead: (file) => `我没能读取 \`${file}\`，所以到此为止，没有改动任何内容。允许读取后可以再让我试一次。`,
    editDenied: (file, wrong, right) =>
      `明白，\`${file}\` 保持不变。我本来打算这样改：\n\n${diff(wrong, right)}\n\n你可以自己修改，或者再让我试一次并允许这次编辑。`,
    editFailed: (file, wrong, right) =>
      `对 \`${file}\` 的编辑没有成功，所以什么都没有改。我本来打算这样改：\n\n${diff(wrong, right)}\n\n再问我一次，我会重试。`,
    checkAgain: "现在确认一下修复是否有效。",
    checkReason: "确认修复有效，且没有破坏其他功能",
    done: (file, passed) => `修好了，${passed} 个测试现在全部通过。

**问题在哪：** \`${file}\` 里的 \`discounted\` 直接减去了百分数本身，于是 10.00 € 打八折变成了 9.80 €。

**改了什么：** 只改了一行，现在按价格的百分比计算，并四舍五入到整分。

在窗口里，可以在「改动」中查看，也可以随时用侧边的石头退回去；在命令行里用 \`cairn checkpoints\`。`,
    doneUnchecked: (file) => `我在 \`${file}\` 里改了一行：折扣现在按价格的百分比计算，并四舍五入到整分。

我**没有**运行测试，所以还没有验证。运行 \`npm test\` 就能看到结果。`,
    stillFails: (failed) =>
      `我的改动已经写入，但仍有 ${failed} 个测试失败，说明还有别的地方被改过。你可以回到编辑之前的点来撤销它。演示到此为止，真正的模型可以继续。`,
  },
};
