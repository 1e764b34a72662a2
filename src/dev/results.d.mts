/** What the parts of `npm test` have found. */
export class Results {
  passed: number
  failed: number
  skipped: number
  failures: string[]
  skips: string[]
  retried: string[]
  pass(count?: number): void
  fail(line: string, count?: number): void
  skip(what: string, count: number, reason: string): void
  close(): void
}

/** Adds what a JSON report of Vitest says; returns the number of tests in it that are run on a database. */
export function addVitest(results: Results, report: object | undefined, code: number): number

/** Adds what a JSON report of Playwright says. */
export function addPlaywright(results: Results, report: object | undefined, code: number): void
