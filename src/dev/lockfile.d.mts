interface Lockfile {
  packages: Record<string, { version?: string; resolved?: string; name?: string; integrity?: string }>
}

/** The lockfile of npm with the address of each package, at no registry. */
export function atNoRegistry(lock: Lockfile): Lockfile
