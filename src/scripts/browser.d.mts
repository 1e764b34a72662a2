export function findChromium(): string | undefined

/** Options that start it for tests, also for root. */
export function browserOptions(): { executablePath: string | undefined; args: string[] }
