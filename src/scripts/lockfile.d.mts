interface Lockfile {
  packages: Record<
    string,
    {
      version?: string
      resolved?: string
      name?: string
      integrity?: string
      optionalDependencies?: Record<string, string>
    }
  >
}

/** Registry-neutral package addresses. */
export function withoutRegistryAddresses(lock: Lockfile): Lockfile

export function missingOptional(lock: Lockfile): [name: string, version: string][]
