// The three kinds of endpoints between window and main process (R1). Types only plus three tiny constructors.
import type { z } from "zod";
import type { Result } from "#shared/lib/result.ts";

export type CallDef<I extends z.ZodType, O extends z.ZodType, E extends z.ZodType> = {
  readonly kind: "call";
  readonly input: I;
  readonly output: O;
  readonly error: E;
};
export type StreamDef<K extends z.ZodType, T extends z.ZodType> = { readonly kind: "stream"; readonly key: K; readonly item: T };
export type JobDef<I extends z.ZodType, P extends z.ZodType, O extends z.ZodType, E extends z.ZodType> = {
  readonly kind: "job";
  readonly input: I;
  readonly progress: P;
  readonly output: O;
  readonly error: E;
};
export type AnyDef = CallDef<z.ZodType, z.ZodType, z.ZodType> | StreamDef<z.ZodType, z.ZodType> | JobDef<z.ZodType, z.ZodType, z.ZodType, z.ZodType>;
export type Contract = { readonly [domain: string]: { readonly [verb: string]: AnyDef } };

/** One answer: `output` or the typed `error` of the verb. */
export function call<I extends z.ZodType, O extends z.ZodType, E extends z.ZodType>(def: { input: I; output: O; error: E }): CallDef<I, O, E> {
  return { kind: "call", ...def };
}
/** Items until the listener goes away. */
export function stream<K extends z.ZodType, T extends z.ZodType>(def: { key: K; item: T }): StreamDef<K, T> {
  return { kind: "stream", ...def };
}
/** One answer with progress on the way; can be cancelled. */
export function job<I extends z.ZodType, P extends z.ZodType, O extends z.ZodType, E extends z.ZodType>(def: {
  input: I;
  progress: P;
  output: O;
  error: E;
}): JobDef<I, P, O, E> {
  return { kind: "job", ...def };
}

/** What every call can fail with besides its own errors: the wire or the other side broke. */
export type WireError = { readonly kind: "wire"; readonly message: string };

export type ClientOf<C extends Contract> = {
  readonly [D in keyof C]: {
    readonly [V in keyof C[D]]: C[D][V] extends CallDef<infer I, infer O, infer E>
      ? (input: z.input<I>, signal?: AbortSignal) => Promise<Result<z.infer<O>, z.infer<E> | WireError>>
      : C[D][V] extends StreamDef<infer K, infer T>
        ? (key: z.input<K>, onItem: (item: z.infer<T>) => void, onGone?: () => void) => Disposable
        : C[D][V] extends JobDef<infer I, infer P, infer O, infer E>
          ? (input: z.input<I>, onProgress: (progress: z.infer<P>) => void, signal?: AbortSignal) => Promise<Result<z.infer<O>, z.infer<E> | WireError>>
          : never;
  };
};

/** `signal` aborts when the caller cancels or goes away. A handler that throws answers `wire`. */
export type HandlersOf<C extends Contract> = {
  readonly [D in keyof C]: {
    readonly [V in keyof C[D]]: C[D][V] extends CallDef<infer I, infer O, infer E>
      ? (input: z.infer<I>, signal: AbortSignal) => Promise<Result<z.input<O>, z.input<E>>>
      : C[D][V] extends StreamDef<infer K, infer T>
        ? (key: z.infer<K>, send: (item: z.input<T>) => void, signal: AbortSignal) => void
        : C[D][V] extends JobDef<infer I, infer P, infer O, infer E>
          ? (input: z.infer<I>, progress: (p: z.input<P>) => void, signal: AbortSignal) => Promise<Result<z.input<O>, z.input<E>>>
          : never;
  };
};
