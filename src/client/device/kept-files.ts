/** A cache for each user, so that users never see each other's pictures. */
export const filesCachePrefix = 'rupa-files-'

export async function forgetFiles(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(filesCachePrefix)) await caches.delete(name)
}
