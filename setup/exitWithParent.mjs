// Ends this process when its parent is gone: `kill -9` of npm would otherwise leave a server running.
const end = () => process.kill(process.pid, 'SIGTERM')

if (process.channel) {
  process.once('disconnect', end)
  process.channel.unref()
  // A process that takes messages stays for the next one, as it would without this file.
  process.on('newListener', (event) => event === 'message' && process.channel?.ref())
} else {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    // Only once: a second signal would cut the graceful shutdown short.
    clearInterval(timer)
    end()
  }, 500).unref()
}
