/** Runs in the page. Ignores choices about the device and the app's own files. */
export async function userDataOnDevice(): Promise<{
  localStorage: string[]
  sessionStorage: string[]
  databases: Record<string, string[]>
  files: string[]
}> {
  const ofDevice = ['themeMode', 'themePrimary', 'themeNeutral', 'language', 'installOffered']
  const databases: Record<string, string[]> = {}
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    const keys: string[] = []
    for (const storeName of database.objectStoreNames) {
      const reading = database.transaction(storeName).objectStore(storeName).getAllKeys()
      await new Promise((resolve, reject) => {
        reading.onsuccess = resolve
        reading.onerror = () => reject(reading.error)
      })
      keys.push(...reading.result.map(String))
    }
    database.close()
    databases[name] = keys
  }
  const files: string[] = []
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) if (url.includes('/api/')) files.push(url)
  }
  return {
    localStorage: Object.keys(localStorage).filter((key) => !ofDevice.includes(key)),
    sessionStorage: Object.keys(sessionStorage),
    databases,
    files,
  }
}
