import { describe, expect, it, vi } from "vitest";
import { Drafts, moveDraft, setDraft } from "./drafts.ts";
import { memoryStorage } from "#renderer/testkit/memory-storage.ts";
import { createKeptStore } from "./kept.ts";

describe("kept stores", () => {
  it("begin with what was kept, and with nothing when it is damaged", () => {
    const storage = memoryStorage();
    storage.setItem("d", JSON.stringify({ a: "words" }));
    expect(createKeptStore(storage, "d", Drafts, {}).getState()).toEqual({ a: "words" });
    for (const damaged of ["{", "[1]", '{"a":1}']) {
      storage.setItem("d", damaged);
      expect(createKeptStore(storage, "d", Drafts, {}).getState()).toEqual({});
    }
  });

  it("write after a pause, or at once when the window goes", () => {
    vi.useFakeTimers();
    const storage = memoryStorage();
    const store = createKeptStore(storage, "d", Drafts, {});
    setDraft(store, "a", "one");
    expect(storage.getItem("d")).toBeNull();
    vi.advanceTimersByTime(300);
    expect(storage.getItem("d")).toBe('{"a":"one"}');
    setDraft(store, "a", "two");
    store.flush();
    expect(storage.getItem("d")).toBe('{"a":"two"}');
    vi.useRealTimers();
  });

  it("go on when the storage refuses", () => {
    const store = createKeptStore(
      {
        getItem: () => null,
        setItem: () => {
          throw new Error("full");
        },
      },
      "d",
      Drafts,
      {},
    );
    setDraft(store, "a", "words");
    expect(() => store.flush()).not.toThrow();
    expect(store.getState()).toEqual({ a: "words" });
  });
});

describe("drafts", () => {
  it("forget empty words and move with their tab, never over other words", () => {
    const store = createKeptStore(memoryStorage(), "d", Drafts, {});
    setDraft(store, "start", "hello");
    moveDraft(store, "start", "s1");
    expect(store.getState()).toEqual({ s1: "hello" });
    setDraft(store, "start", "other");
    moveDraft(store, "start", "s1");
    expect(store.getState()).toEqual({ s1: "hello" });
    setDraft(store, "s1", "");
    expect(store.getState()).toEqual({});
  });
});
