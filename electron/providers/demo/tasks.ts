// Which prepared task a prompt means. Whatever fits none gets the plain truth: this is only a demo.
import type { Scene } from "./scene.ts";

export type Task = "fix" | "explain" | "notes" | "page" | "other";

const SIGNS: readonly { readonly task: Exclude<Task, "other">; readonly words: RegExp }[] = [
  { task: "page", words: /\bweb ?(?:page|site)s?\b|\blanding page\b|\bhtml\b|网页|页面|网站/i },
  {
    task: "notes",
    words:
      /\b(?:write|create|add|make|generate|draft)\b.*\b(?:summary|notes?|readme|docs?|documentation|overview)\b|(?:写|创建|生成|添加|做).*(?:总结|摘要|说明|笔记|文档|README)/i,
  },
  { task: "fix", words: /\b(?:fix|repair|debug|failing|failed|broken|bugs?)\b|\btests?\b.*\b(?:fail|pass|red)|修|失败的?测试|测试.*失败|错误|报错/i },
  {
    task: "explain",
    words:
      /\b(?:explain|describe|overview|understand|summari[sz]e|walk me through)\b|\bwhat (?:is|does|do)\b.*\b(?:this|project|folder|code|files?|program|app|here)\b|\bhow does\b.*\b(?:this|project|code|program|app|work)\b|\btell me about\b.*\b(?:this|project|folder|code)\b|解释|介绍|讲讲|讲解|是什么|做什么|说明|了解/i,
  },
];

const GO_ON = /^\s*(?:yes|yep|ok(?:ay)?|sure|go on|go ahead|continue|proceed|try again|retry|again|do it|please do|好的?|可以|继续|再试|重试|是的?)(?![a-z])/i;

export function taskOf(scene: Pick<Scene, "prompt" | "earlier">): Task {
  const direct = match(scene.prompt);
  if (direct !== undefined) return direct;
  if (!GO_ON.test(scene.prompt)) return "other";
  const before = scene.earlier.map(match).find((task) => task !== undefined);
  return before ?? "other";
}

function match(prompt: string): Exclude<Task, "other"> | undefined {
  return SIGNS.find((sign) => sign.words.test(prompt))?.task;
}
