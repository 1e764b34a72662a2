import { useEffect } from 'react'
import { loadSender } from './send-uploads.ts'
import { UploadListSheet } from './upload-list.tsx'

/**
 * Has on the device what sends and shows uploads before there is one, for then the connection may
 * be gone.
 */
export function useReadySending(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return
    const parts = () => [loadSender(), UploadListSheet.load(), import('tus-js-client')]
    const timer = setTimeout(() => void Promise.all(parts()).catch(() => undefined), 500)
    return () => clearTimeout(timer)
  }, [wanted])
}
