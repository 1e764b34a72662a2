export function saveAddress(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  saveAddress(address, name)
  // The browser may still be reading.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
