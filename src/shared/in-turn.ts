/** Returns a function that runs tasks one after another; a failed one does not stop the next. */
export function inTurn(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const done = last.then(task)
    last = done.catch(() => {})
    return done
  }
}
