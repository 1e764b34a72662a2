import { showSnackbar } from './snackbar.tsx'

export async function copyText(text: string, messages: { done: string; failed: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showSnackbar('success', messages.done)
  } catch {
    showSnackbar('error', messages.failed)
  }
}
