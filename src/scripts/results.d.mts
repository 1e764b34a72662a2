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

export function addVitest(
  results: Results,
  report: object | undefined,
  code: number,
  unhandledErrors?: readonly string[],
): number

export function addPlaywright(results: Results, report: object | undefined, code: number): void
