import { showSnackbar } from './snackbar.tsx'

/** Puts a text on the clipboard, and says which of the two came about. */
export async function copyText(text: string, said: { done: string; failed: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showSnackbar('success', said.done)
  } catch {
    showSnackbar('error', said.failed)
  }
}
