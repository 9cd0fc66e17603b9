// The tool contract (T1). Declarations are resolved once; everything else reads traits, never predicates.
import type { z } from "zod";
import type { ModelContent } from "#shared/chat/blocks.ts";
import type { CallId, SessionId, TurnId } from "#shared/lib/ids.ts";
import type { Result } from "#shared/lib/result.ts";
import type { AskVerb, PermissionQuestion } from "#shared/permissions/question.ts";
import type { CardView, ResultDisplay } from "#shared/tools/card.ts";
import type { Effect } from "#shared/tools/effect.ts";
import type { ToolFailure } from "#shared/tools/failure.ts";
import type { ToolProgress } from "#shared/tools/outcome.ts";
import type { Idempotency } from "#shared/tools/recovery.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { Scope } from "#electron/lib/scope.ts";

/** What a tool knows about the folder its call is in, before any context of the run exists. Paths absolute, real. */
export type Place = { readonly cwd: string; readonly home: string };

export type ToolOpinion = { readonly behavior: "allow" | "deny" | "ask"; readonly reason: string } | { readonly behavior: "pass" };

/** Where and for whom a call runs; powers come from the tool's factory instead. */
export interface ToolContext {
  readonly session: SessionId;
  readonly turn: TurnId;
  readonly call: CallId;
  readonly place: Place;
  readonly scope: Scope;
  readonly clock: Clock;
  /** what `analyse` found and permission was judged on; `call` compares it with the disk again at the time of use (P2 step 4) */
  readonly facts?: unknown;
}

/** A tool answers with a return or with a failure whose kind it knows; a throw is `exception`, our fault. */
/** `cut`: the tool itself left out what went beyond the limit of its result (T9); counted as a cut result (O2). */
export type ToolReturn = { readonly view?: CardView; readonly cut?: boolean } & (
  | { readonly ok: true; readonly forModel: ModelContent }
  | { readonly ok: false; readonly failure: ToolFailure; readonly forModel?: ModelContent }
);

/** How a question about a call is put to the person. */
export type AskCard = { readonly verb: AskVerb; readonly subject: string; readonly reason?: string; readonly detail: PermissionQuestion["detail"] };

export interface ToolSpec<I extends z.ZodType> {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** raised when what a stored input means changes; the log keeps it with each call, and a model that learnt the older form is told (T4) */
  readonly schemaVersion: number;
  readonly input: I;
  /** `summary`: 1 to 3 sentences, what and when; `guide`: how to use it well */
  readonly text: { readonly summary: string; readonly guide?: string };
  readonly exposure?: "always" | "deferred";
  /** undefined: the tool limits itself */
  readonly maxResultChars?: number;
  readonly display?: ResultDisplay;
  readonly interrupt?: "cancel" | "finish_first";
  /** a cleared result of such a call can be had again (C1 layer 3) */
  readonly reproducible?: boolean;
  /** `compare_and_swap`: tells the log what it is about to write, with the hashes before and after, so that a crash can be judged (S2) */
  readonly idempotency?: Idempotency;
  /** a failed call of this group skips the later calls of the same group in the same reply (T8) */
  readonly siblingGroup?: string;
  /** facts that need a worker or the disk, worked out once; handed to the predicates as `facts` */
  analyse?(input: z.infer<I>, place: Place): Promise<unknown>;
  isReadOnly?(input: z.infer<I>, facts: unknown): boolean;
  isConcurrencySafe?(input: z.infer<I>, facts: unknown): boolean;
  isDestructive?(input: z.infer<I>, facts: unknown): boolean;
  effects?(input: z.infer<I>, place: Place, facts: unknown): readonly Effect[];
  conflictKeys?(input: z.infer<I>, place: Place, facts?: unknown): readonly string[];
  validate?(input: z.infer<I>, cx: ToolContext): Promise<Result<z.infer<I>, ToolFailure>>;
  checkPermission?(input: z.infer<I>, place: Place, facts: unknown): Promise<ToolOpinion>;
  /** what rules with content are matched against: path or command; undefined = only whole-tool rules apply */
  permissionTarget?(input: z.infer<I>, place: Place, facts?: unknown): string;
  /** rules that "Always…" may offer */
  suggestRules?(input: z.infer<I>, place: Place, facts: unknown): readonly string[];
  askCard?(input: z.infer<I>, place: Place): Promise<AskCard>;
  /** normalised copy for hooks, rules and guards: absolute paths, real case */
  observable?(input: z.infer<I>, place: Place, facts?: unknown): unknown;
  /**
   * Where the text of its result comes from, in few words; the text is then marked as data (P8). undefined: all of it is the
   * harness's own or the person's. Left out: the name of the tool. A part with a `from` of its own keeps it.
   */
  source?(input: z.infer<I>): string | undefined;
  call(input: z.infer<I>, cx: ToolContext, progress: (p: ToolProgress) => void): Promise<ToolReturn>;
}

type Optional = "aliases" | "analyse" | "maxResultChars" | "siblingGroup" | "permissionTarget" | "askCard" | "suggestRules" | "source";
/** A spec with the safe side filled in. */
export type Tool<I extends z.ZodType = z.ZodType> = Required<Omit<ToolSpec<I>, Optional>> & Pick<ToolSpec<I>, Optional>;

/** Resolved ONCE per call; a predicate that throws counts as unsafe. */
export interface CallTraits {
  readonly readOnly: boolean;
  readonly concurrencySafe: boolean;
  readonly destructive: boolean;
  readonly mayWrite: boolean;
  readonly reproducible: boolean;
  readonly effects: readonly Effect[];
  readonly conflictKeys: readonly string[];
}

export interface ToolRegistry {
  /** in sending order (T2) */
  readonly tools: readonly Tool[];
  /** by name or alias, ignoring case */
  find(name: string): Tool | undefined;
  /** names near to an unknown one (T4) */
  near(name: string): readonly string[];
}
