// The page for files, with the games that this browser keeps.

import './app.js';
import './forms.js';
import './games.js';
