#!/usr/bin/env bash
# Installs the languages of students' programs.
set -euo pipefail
apt-get update
apt-get install -y --no-install-recommends default-jdk-headless g++ make python3
