/** Hands the browser an address to be saved as a file. */
export function saveAddress(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

/** Hands the browser a file to be saved. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  saveAddress(address, name)
  // The browser may still be reading.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
