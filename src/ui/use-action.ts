import { useMutation } from '@tanstack/react-query'
import { errorText } from '#client/api.ts'
import { showSnackbar } from './snackbar.tsx'

export function useAction<Input = void, Output = unknown>(work: (input: Input) => Promise<Output>, said?: string) {
  return useMutation({
    mutationFn: work,
    onSuccess: () => said && showSnackbar('success', said),
    onError: (error) => showSnackbar('error', errorText(error)),
  })
}
