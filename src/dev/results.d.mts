/** Results of the parts of `npm test`. */
export class Results {
  passed: number
  failed: number
  skipped: number
  failures: string[]
  skips: string[]
  retried: string[]
  durations: { name: string; milliseconds: number }[]
  pass(count?: number): void
  fail(line: string, count?: number): void
  time(name: string, milliseconds?: number): void
  skip(what: string, count: number, reason: string): void
  close(): void
}

/**
 * Adds a JSON report of Vitest and errors outside of tests; returns the number of tests run on a
 * database.
 */
export function addVitest(
  results: Results,
  report: object | undefined,
  code: number,
  unhandledErrors?: readonly string[],
): number

/** Adds a JSON report of Playwright. */
export function addPlaywright(results: Results, report: object | undefined, code: number): void
