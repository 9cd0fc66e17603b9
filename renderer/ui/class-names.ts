// Joins class lists; one short name for what every component does.
import { type ClassValue, clsx } from "clsx";

export function cx(...classes: readonly ClassValue[]): string {
  return clsx(classes);
}
