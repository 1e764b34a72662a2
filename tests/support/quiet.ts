import { afterEach, beforeEach, vi } from 'vitest'

const methods = ['log', 'info', 'warn', 'error', 'debug'] as const
const unexpected: string[] = []

/** Collected for the check after each test. */
export function recordUnexpectedOutput(line: string): void {
  unexpected.push(line)
}

// Component tests run in a browser, which has no process.
globalThis.process?.on?.('warning', (warning) => recordUnexpectedOutput(`process warning: ${warning.message}`))

/** Fails tests during which something was printed or logged as an error. */
export function watchOutput(): void {
  beforeEach(() => {
    for (const method of methods) {
      vi.spyOn(console, method).mockImplementation((...given: unknown[]) => {
        recordUnexpectedOutput(`console.${method}: ${given.map(String).join(' ')}`)
      })
    }
  })

  afterEach(() => {
    vi.restoreAllMocks()
    const said = unexpected.splice(0)
    if (said.length > 0) throw new Error(`unexpected output:\n${said.join('\n')}`)
  })
}
