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

/** The lockfile with registry-neutral package addresses. */
export function atNoRegistry(lock: Lockfile): Lockfile

/** Optional packages that other packages name and the lockfile lacks: `[name, version]`. */
export function missingOptional(lock: Lockfile): [name: string, version: string][]
