/** Options with which Node resolves each package once. */
export const resolveOnce: string[]

/** An option with which memory is collected less often. */
export const roomToGrow: string

/** Options with which the server runs. */
export const serverOptions: string[]

/** With what the TypeScript compiler checks in one thread. */
export const typeCheck: string[]

/** Variables with which it collects its memory late. */
export const compilerMemory: Record<string, string>

/** The project's folder. */
export const root: string

/** Runs a command of the project's packages; returns what it said. */
export function runQuietly(
  command: string,
  args: string[],
  options?: { extra?: Record<string, string> },
): Promise<{ code: number; output: string }>
