// The least a wire has to do; a MessagePort, or memory in tests.

export interface Transport {
  send(frame: unknown): void;
  /** One listener; frames that came before it was set are delivered to it. */
  listen(onFrame: (frame: unknown) => void, onClose: () => void): void;
  close(): void;
}
