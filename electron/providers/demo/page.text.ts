// Words of the task "make a small web page", and the page itself, in both languages.
import type { Language, Product } from "./scene.ts";

type PageTexts = {
  readonly lookAround: string;
  readonly reading: string;
  readonly writing: (file: string) => string;
  readonly page: (products: readonly Product[]) => string;
  readonly done: (file: string, products: number) => string;
  readonly denied: (file: string) => string;
  readonly failed: (file: string) => string;
  readonly noFreeName: string;
};

type PageWords = { readonly lang: string; readonly title: string; readonly intro: string; readonly empty: string };

function html(words: PageWords, products: readonly Product[]): string {
  const rows = products.map((product) => `      <li><span>${product.name}</span><b>${product.price}</b></li>`).join("\n");
  return `<!doctype html>
<html lang="${words.lang}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${words.title}</title>
    <style>
      body { font: 17px/1.6 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1rem; color: #2c2a26; background: #f7f5f0; }
      h1 { font-weight: 600; letter-spacing: -0.01em; }
      ul { list-style: none; padding: 0; }
      li { display: flex; justify-content: space-between; padding: 0.6rem 0; border-bottom: 1px solid #dcd7cc; }
    </style>
  </head>
  <body>
    <h1>${words.title}</h1>
    <p>${words.intro}</p>
${products.length === 0 ? `    <p>${words.empty}</p>` : `    <ul>\n${rows}\n    </ul>`}
  </body>
</html>
`;
}

export const PAGE: Readonly<Record<Language, PageTexts>> = {
  en: {
    lookAround: "Let me see what I can put on the page.",
    reading: "There is a `data` folder. I'll read the products for the page.",
    writing: (file) => `I'll make one file without any dependencies: \`${file}\`.`,
    page: (products) => html({ lang: "en", title: "Little Shop", intro: "Small, friendly, open from Monday to Saturday.", empty: "More to come." }, products),
    done: (file, products) =>
      `Your page is ready: \`${file}\`${products === 0 ? "" : ` with ${products} products`}. Open it in a browser. It is one plain HTML file, so you can change it as you like.`,
    denied: (file) => `Understood, I don't write \`${file}\`. Ask again and allow the write if you change your mind.`,
    failed: (file) => `\`${file}\` could not be written, so nothing was changed. Check that this folder can be written to, then ask me again.`,
    noFreeName: "Pages with all the names I would use are already here, and I don't write over them. Rename or delete one of them and ask me again.",
  },
  zh: {
    lookAround: "我先看看页面上可以放些什么。",
    reading: "这里有一个 `data` 文件夹，我来读一下要放到页面上的商品。",
    writing: (file) => `我来做一个不依赖任何东西的文件：\`${file}\`。`,
    page: (products) => html({ lang: "zh-CN", title: "小商店", intro: "小而友好，周一至周六营业。", empty: "更多内容敬请期待。" }, products),
    done: (file, products) =>
      `网页做好了：\`${file}\`${products === 0 ? "" : `，里面有 ${products} 种商品`}。用浏览器打开就能看到。它只是一个普通的 HTML 文件，想怎么改都行。`,
    denied: (file) => `明白，我不写 \`${file}\`。改变主意的话，请再问一次并允许写入。`,
    failed: (file) => `没能写入 \`${file}\`，所以什么都没有改。请确认这个文件夹可以写入，然后再问我一次。`,
    noFreeName: "我会用到的页面文件名都已经存在，我不会覆盖它们。请重命名或删除其中一个，再问我一次。",
  },
};
