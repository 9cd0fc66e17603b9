// Where each path of a plan goes, before it is made to fit together as a tree.
import type { Wish } from "./final-tree.ts";

export type Sorted = {
  readonly wishes: readonly Wish[];
  /** those of them that keep what others changed in the same file */
  readonly merged: ReadonlySet<string>;
  readonly kept: readonly Wish[];
  readonly conflicts: readonly Wish[];
  readonly unavailable: readonly Wish[];
};
