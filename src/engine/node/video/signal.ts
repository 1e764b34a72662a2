/** Lets a loop wait until something has happened elsewhere, without asking again and again. */
export function createSignal(): { notify(): void; wait(): Promise<void> } {
  let waiting = Promise.withResolvers<void>()
  return {
    notify() {
      waiting.resolve()
      waiting = Promise.withResolvers<void>()
    },
    wait: () => waiting.promise,
  }
}
