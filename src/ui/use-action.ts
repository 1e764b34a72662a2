import { useMutation } from '@tanstack/react-query'
import { errorText } from '#client/api.ts'
import { showSnackbar } from './snackbar.tsx'

export function useAction<Input = void, Output = unknown>(
  work: (input: Input) => Promise<Output>,
  successMessage?: string,
) {
  return useMutation({
    mutationFn: work,
    onSuccess: () => successMessage && showSnackbar('success', successMessage),
    onError: (error) => showSnackbar('error', errorText(error)),
  })
}
