interface Lock {
  packages: Record<string, { name?: string; version?: string; license?: string; dev?: boolean }>
}
export function licencesOf(lock: Lock): [name: string, version: string, licence: string, development: boolean][]
export function licenceList(lock: Lock): string
