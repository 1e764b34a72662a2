import { useEffect } from 'react'
import { loadSender } from './send-uploads.ts'
import { UploadListSheet } from './upload-list.tsx'

/** The connection may be gone when the code is needed. */
export function usePreloadSending(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return
    const parts = () => [loadSender(), UploadListSheet.load(), import('tus-js-client')]
    const timer = setTimeout(() => void Promise.all(parts()).catch(() => undefined), 500)
    return () => clearTimeout(timer)
  }, [wanted])
}
