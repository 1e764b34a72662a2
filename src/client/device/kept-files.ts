/** Caches of people's pictures; one a user, so that nobody sees another's. */
export const filesCachePrefix = 'rupa-files-'

export async function forgetFiles(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(filesCachePrefix)) await caches.delete(name)
}
