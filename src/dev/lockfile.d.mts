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

/** The lockfile of npm with the address of each package, at no registry. */
export function atNoRegistry(lock: Lockfile): Lockfile

/** Optional packages that packages of the lockfile name, and that it lacks: `[name, version]`. */
export function missingOptional(lock: Lockfile): [name: string, version: string][]
