// Small facts in a rounded frame; with onClick it is a button.
import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { cx } from "./class-names.ts";

const FRAME = "inline-flex h-[22px] items-center gap-1.5 rounded-full border px-2.5 text-micro whitespace-nowrap";

export function Tag({ children, tone = "plain" }: { readonly children: ReactNode; readonly tone?: "plain" | "bad" }) {
  return <span className={cx(FRAME, tone === "bad" ? "border-bad/40 text-bad" : "border-line text-ink-2")}>{children}</span>;
}

type ChipButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { readonly ref?: Ref<HTMLButtonElement> };

export function ChipButton({ className, type = "button", ...rest }: ChipButtonProps) {
  return (
    <button
      type={type}
      className={cx(
        FRAME,
        "h-6 border-line text-small text-ink-2 hover:border-line-strong hover:text-ink aria-pressed:border-line-strong aria-pressed:bg-raised aria-pressed:text-ink",
        className,
      )}
      {...rest}
    />
  );
}
