// When the window paints next. A hidden window gets no animation frames, so a timer stands in for them.
const HIDDEN_FRAME_MS = 200;

/** Runs `action` before the next paint, or soon when the window is hidden; the answer cancels it. */
export function onNextFrame(action: () => void): () => void {
  let frame = 0;
  let timer = 0;
  const cancel = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const run = (): void => {
    cancel();
    action();
  };
  frame = requestAnimationFrame(run);
  timer = window.setTimeout(run, HIDDEN_FRAME_MS);
  return cancel;
}

/** Runs `action` after `ms`; the answer cancels it. */
export function later(action: () => void, ms: number): () => void {
  const timer = window.setTimeout(action, ms);
  return () => clearTimeout(timer);
}
