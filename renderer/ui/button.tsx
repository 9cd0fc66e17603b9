// Buttons of the whole app: one height, three weights.
import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { cx } from "./class-names.ts";

export type ButtonLook = "plain" | "primary" | "ghost" | "danger" | "link";

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: ButtonLook;
  readonly size?: "normal" | "small" | "square";
  readonly ref?: Ref<HTMLButtonElement>;
};

const LOOKS: Readonly<Record<ButtonLook, string>> = {
  plain: "border border-line bg-raised text-ink hover:border-line-strong",
  primary: "border border-primary bg-primary text-on-primary hover:opacity-90",
  ghost: "border border-transparent text-ink-2 hover:bg-sunken hover:text-ink",
  danger: "border border-line bg-raised text-bad hover:border-bad",
  link: "border border-transparent text-agent hover:underline underline-offset-2",
};

const BOXES = { normal: "h-[30px] px-3 text-ui", small: "h-[26px] px-2.5 text-small", square: "size-[28px]" } as const;

export function Button({ look = "plain", size = "normal", className, type = "button", ...rest }: ButtonProps) {
  const box = look === "link" ? "px-1 text-ui" : BOXES[size];
  return (
    <button
      type={type}
      className={cx(
        "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-firm whitespace-nowrap transition-[opacity,border-color,background-color] duration-100",
        "disabled:pointer-events-none disabled:opacity-45 aria-disabled:opacity-60",
        LOOKS[look],
        box,
        className,
      )}
      {...rest}
    />
  );
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "title"> & {
  readonly label: string;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
};

/** A button that is only a picture: its word is its name and its tooltip. */
export function IconButton({ label, className, children, type = "button", ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={cx(
        "inline-flex size-[26px] shrink-0 items-center justify-center rounded-sm text-ink-3 hover:bg-sunken hover:text-ink disabled:opacity-40",
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
