// The first address: leads to the pages in the visitor's language.

const own = localStorage.getItem('arena.language') ?? (navigator.language.startsWith('fr') ? 'fr' : 'en');
location.replace(`${own}/${location.search}`);
