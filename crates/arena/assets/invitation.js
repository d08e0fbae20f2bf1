// The link of an invitation to a seat.

// Says where the link works, and copies it at a press of the button beside it. `told` says that it is copied.
export function offer(room, told) {
  const field = room.querySelector('[data-invitation]');
  room.querySelector('.invitation .local').hidden = !['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname);
  const button = room.querySelector('[data-copied]');
  button.onclick = async () => {
    field.select();
    // A page without a certificate has no clipboard of its own.
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand('copy'); }
    told(button.dataset.copied);
  };
}
