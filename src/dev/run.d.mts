/** Node options that resolve each package once. */
export const resolveOnce: string[]

/** Node option that collects garbage less often. */
export const roomToGrow: string

/** Node options of the server. */
export const serverOptions: string[]

/** Arguments for a single-threaded type check. */
export const typeCheck: string[]

/** Variables that delay the compiler's garbage collection. */
export const compilerMemory: Record<string, string>

/** The project's folder. */
export const root: string

/** Runs a command of the project's packages; returns its output. */
export function runQuietly(
  command: string,
  args: string[],
  options?: { extra?: Record<string, string> },
): Promise<{ code: number; output: string }>
