import { showSnackbar } from './snackbar.tsx'

export async function copyText(text: string, said: { done: string; failed: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showSnackbar('success', said.done)
  } catch {
    showSnackbar('error', said.failed)
  }
}
