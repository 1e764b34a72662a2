import { useEffect, useState } from 'react'

/** An address for a blob while the component shows it; null for none. */
export function useObjectUrl(blob: Blob | null | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!blob) return
    const own = URL.createObjectURL(blob)
    setUrl(own)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(own)
    }
  }, [blob])
  return blob ? url : null
}
