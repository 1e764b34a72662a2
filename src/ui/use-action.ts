import { useMutation } from '@tanstack/react-query'
import { errorText } from '#client/api.ts'
import { showSnackbar } from './snackbar.tsx'

/** The user closed a sheet of the browser or of the app. */
export const isCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

export function useAction<Input = void, Output = unknown>(
  work: (input: Input) => Promise<Output>,
  successMessage?: string,
) {
  return useMutation({
    mutationFn: work,
    onSuccess: () => successMessage && showSnackbar('success', successMessage),
    onError: (error) => isCancelled(error) || showSnackbar('error', errorText(error)),
  })
}

export async function copyText(text: string, messages: { done: string; failed: string }): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    showSnackbar('success', messages.done)
    return true
  } catch {
    showSnackbar('error', messages.failed)
    return false
  }
}
