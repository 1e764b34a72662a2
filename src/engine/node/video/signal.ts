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
