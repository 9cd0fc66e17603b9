// Times, counts and sizes in the person's language. Formatters are costly to make, so each is made once per language.
import { useMemo } from "react";
import { useTranslation } from "react-i18next";

export type Format = {
  /** 14:02 */
  readonly clock: (at: number) => string;
  /** 14:02 today, else with the day */
  readonly moment: (at: number) => string;
  /** 0.4 s, 12 s, 3 min 5 s */
  readonly duration: (ms: number) => string;
  readonly count: (value: number) => string;
  /** 1.6 MB */
  readonly size: (bytes: number) => string;
  readonly money: (dollars: number) => string;
};

export function useFormat(): Format {
  const { i18n } = useTranslation();
  return useMemo(() => createFormat(i18n.language), [i18n.language]);
}

const SIZES = ["B", "KB", "MB", "GB", "TB"];

export function createFormat(language: string): Format {
  const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const day = new Intl.DateTimeFormat(language, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const count = new Intl.NumberFormat(language);
  const tenth = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const money = new Intl.NumberFormat(language, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" });
  const [minute, second] = language.startsWith("zh") ? [" 分 ", " 秒"] : [" min ", " s"];
  return {
    clock: (at) => clock.format(at),
    moment: (at) => (new Date(at).toDateString() === new Date().toDateString() ? clock : day).format(at),
    duration: (ms) => {
      const seconds = ms / 1000;
      if (seconds < 9.95) return `${tenth.format(seconds)}${second}`;
      if (seconds < 60) return `${Math.round(seconds)}${second}`;
      return `${Math.floor(seconds / 60)}${minute}${Math.round(seconds % 60)}${second}`;
    },
    count: (value) => count.format(value),
    size: (bytes) => {
      const power = bytes < 1024 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log2(bytes) / 10));
      return `${(power === 0 ? count : tenth).format(bytes / 1024 ** power)} ${SIZES[power] ?? ""}`;
    },
    money: (dollars) => money.format(dollars),
  };
}
